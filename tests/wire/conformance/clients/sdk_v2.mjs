// sdk_v2.mjs -- the tour with the v2 SDK client, in the era that MODE chooses.
import { commandLine, connectV2 } from './connect.mjs';
import { tour } from './tour.mjs';

const { own, server } = commandLine('sdk_v2.mjs auto|legacy|VERSION DEVICE_FOLDER', 2);
const link = await connectV2(server, own[0]);
const seen = await tour(link, own[1]);
await link.close();
console.log(seen);
