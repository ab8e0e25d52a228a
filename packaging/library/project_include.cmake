# ESP-IDF reads this before any component: it gives them skillrom_add_device.
include(${CMAKE_CURRENT_LIST_DIR}/cmake/skillromConfig.cmake)
