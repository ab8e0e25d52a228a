// over_https.cjs -- for the official suite over TLS: it sends some requests with node:http, whatever the URL says, so that it
// can choose their headers. Those go the way of the URL here.
const http = require('node:http');
const https = require('node:https');

const plainly = http.request;
http.request = (options, ...more) =>
    options.hostname === '127.0.0.1' && !options.protocol ? https.request(options, ...more) : plainly(options, ...more);
