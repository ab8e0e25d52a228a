/* usb_config.h -- how a board names itself on USB. Another value: -DUSB_PRODUCT_TEXT='"pump 3"' in USB_FLAGS.<build>. */
#ifndef USB_CONFIG_H
#define USB_CONFIG_H

/* Raspberry Pi's "Pico, serial port", for boards with its chip. A product needs a number of its own. */
#ifndef USB_VENDOR
#define USB_VENDOR 0x2E8A
#define USB_PRODUCT 0x000A
#endif
#define USB_RELEASE 0x0100

#ifndef USB_MAKER_TEXT
#define USB_MAKER_TEXT "skillrom"
#endif

/* The name that `skillrom find` shows. */
#ifndef USB_PRODUCT_TEXT
#define USB_PRODUCT_TEXT "skillrom device"
#endif

/* The first line that a program reads when it opens the port. */
#define USB_HELLO "skillrom on " USB_PRODUCT_TEXT
#define USB_GREETING USB_HELLO ": ready\n"

/* Characters of a text: what fits one packet of endpoint 0. */
#define USB_TEXT_MAX 31

#endif
