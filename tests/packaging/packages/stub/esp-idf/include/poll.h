#error "ESP-IDF has sys/poll.h alone"
