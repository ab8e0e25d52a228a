# For the pico-sdk, before it adds its libraries: none of its C++, since Debian's C++ library for Arm takes 1.5 GB.
add_library(pico_cxx_options INTERFACE)
add_library(pico_cxx_options_headers INTERFACE)
