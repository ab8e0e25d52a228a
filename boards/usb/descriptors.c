/* descriptors.c -- what the device says of itself when it is plugged in: one serial port (CDC-ACM), for which every operating
 * system has a driver. */
#include "tusb.h"
#include "usb_config.h"

enum { STRING_LANGUAGE, STRING_MAKER, STRING_PRODUCT, STRING_COUNT };
enum { INTERFACE_CONTROL, INTERFACE_DATA, INTERFACE_COUNT };
enum { ENDPOINT_NOTICE = 0x81, ENDPOINT_OUT = 0x02, ENDPOINT_IN = 0x82 };

#define NOTICE_SIZE 8
#define PACKET_SIZE 64
#define POWER_MA 100
#define ENGLISH 0x0409

static const tusb_desc_device_t device = {
    .bLength = sizeof device,
    .bDescriptorType = TUSB_DESC_DEVICE,
    .bcdUSB = 0x0200,
    .bDeviceClass = TUSB_CLASS_MISC, /* the two interfaces of a serial port belong together */
    .bDeviceSubClass = MISC_SUBCLASS_COMMON,
    .bDeviceProtocol = MISC_PROTOCOL_IAD,
    .bMaxPacketSize0 = CFG_TUD_ENDPOINT0_SIZE,
    .idVendor = USB_VENDOR,
    .idProduct = USB_PRODUCT,
    .bcdDevice = USB_RELEASE,
    .iManufacturer = STRING_MAKER,
    .iProduct = STRING_PRODUCT,
    .bNumConfigurations = 1,
};

static const uint8_t configuration[] = {
    TUD_CONFIG_DESCRIPTOR(1, INTERFACE_COUNT, 0, TUD_CONFIG_DESC_LEN + TUD_CDC_DESC_LEN, 0, POWER_MA),
    TUD_CDC_DESCRIPTOR(INTERFACE_CONTROL, 0, ENDPOINT_NOTICE, NOTICE_SIZE, ENDPOINT_OUT, ENDPOINT_IN, PACKET_SIZE),
};

const uint8_t *tud_descriptor_device_cb(void)
{
    return (const uint8_t *)&device;
}

const uint8_t *tud_descriptor_configuration_cb(uint8_t index)
{
    (void)index;
    return configuration;
}

/* UTF-16, behind a header with length and type. TinyUSB copies it before it asks for another. */
const uint16_t *tud_descriptor_string_cb(uint8_t index, uint16_t language)
{
    static const char *const texts[STRING_COUNT] = {
        [STRING_MAKER] = USB_MAKER_TEXT, [STRING_PRODUCT] = USB_PRODUCT_TEXT};
    static uint16_t string[1 + USB_TEXT_MAX];
    uint16_t n = 0;

    (void)language;
    if (index >= STRING_COUNT) {
        return NULL;
    }
    if (index == STRING_LANGUAGE) {
        string[1 + n++] = ENGLISH;
    } else {
        for (const char *text = texts[index]; text[n] != '\0' && n < USB_TEXT_MAX; n++) {
            string[1 + n] = (uint8_t)text[n];
        }
    }
    string[0] = (uint16_t)(TUSB_DESC_STRING << 8 | (2 * n + 2));
    return string;
}
