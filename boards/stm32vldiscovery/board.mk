CPU.stm32vldiscovery      := -mcpu=cortex-m3 -mthumb
PARTS.stm32vldiscovery    := stm32
EMULATOR.stm32vldiscovery := qemu-system-arm -M stm32vldiscovery
FLASH.stm32vldiscovery    := openocd board/stm32vldiscovery.cfg
TESTS.stm32vldiscovery    := checks transcripts
