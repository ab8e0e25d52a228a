-- What the pump does when this script is run. The firmware has it compiled in; this copy is for reading.
-- Turns the rotor of one line by four quarters, slowly, and watches the pressure behind it.
local line = ...

for quarter = 1, 4 do
  rotor.turn(line, 90)
  local bar = sensor.pressure(line)
  if bar > 1.5 then
    rotor.turn(line, -90 * quarter)
    return ("line %d: outlet blocked, %.3f bar after %d of 4 quarter turns"):format(line, bar, quarter)
  end
end
return ("line %d: outlet free, %.3f bar after 4 quarter turns"):format(line, sensor.pressure(line))
