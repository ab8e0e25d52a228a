# With a floating-point unit. Code as for a Cortex-M3's pipeline is smaller than as for the Cortex-M4's own, and without one
# optimisation smaller again, 0.4 % together.
# In QEMU the sixth serial line is that of USART6.
CPU.netduinoplus2      := -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard -mtune=cortex-m3 -fno-if-conversion
PARTS.netduinoplus2    := stm32
EMULATOR.netduinoplus2 := qemu-system-arm -M netduinoplus2 -serial null -serial null -serial null -serial null -serial null
FLASH.netduinoplus2    := dfu-util 0483:df11 0x08000000
TESTS.netduinoplus2    := checks long

NOTE.netduinoplus2-full   := everything a serial line can carry: tools that take time and ask, tasks, prompts, subscriptions
FOLDER.netduinoplus2-full := netduinoplus2
CONFIG.netduinoplus2-full := full_skr.h
SCRIPT.netduinoplus2-full := full.ld
PARTS.netduinoplus2-full  := stm32
TESTS.netduinoplus2-full  := interactive long
