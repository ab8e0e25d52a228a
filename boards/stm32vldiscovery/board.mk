CPU.stm32vldiscovery := -mcpu=cortex-m3 -mthumb
