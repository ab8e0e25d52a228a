void vTaskDelay(const uint32_t ticks);
