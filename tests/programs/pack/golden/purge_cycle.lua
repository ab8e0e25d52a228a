-- descriptive copy; the device runs the compiled handler purge-line/purge_cycle
return { seconds = 8 }
