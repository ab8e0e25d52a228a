// sdk_v1.mjs -- the tour with the v1 SDK client, which most programs still embed. It knows only the
// initialize era.
import { commandLine, connectV1 } from './connect.mjs';
import { tour } from './tour.mjs';

const { own, server } = commandLine('sdk_v1.mjs DEVICE_FOLDER', 1);
const link = await connectV1(server);
const seen = await tour(link, own[0]);
await link.close();
console.log(seen);
