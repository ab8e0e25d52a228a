/* WiFi.h -- a network that is there: sockets of this machine. The port is the one that $PORT names. */
#ifndef WIFI_H
#define WIFI_H

#include <Arduino.h>
#include <memory>

#define WL_CONNECTED 3

class WiFi_
{
  public:
    void begin(const char *ssid, const char *password);
    int status();
    const char *localIP();
};
extern WiFi_ WiFi;

/* A copy is the same connection, which ends with the last of them. */
class WiFiClient
{
  public:
    WiFiClient(int fd = -1);
    operator bool();
    int available();
    int read(uint8_t *to, size_t n);
    size_t write(const uint8_t *from, size_t n);
    uint8_t connected();
    void stop();

  private:
    std::shared_ptr<int> socket;
};

class WiFiServer
{
  public:
    WiFiServer(int port);
    void begin();
    WiFiClient accept();

  private:
    int fd = -1;
};

#endif
