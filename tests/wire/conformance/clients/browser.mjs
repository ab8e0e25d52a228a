// browser.mjs -- a person at a browser, for the SDKs' authorization code flow: signs in and consents on the pages of
// oidc-provider, which take any name.
import assert from 'node:assert/strict';

/** Follows redirects with cookies, and fills in the forms, until it is sent to `redirect`. Returns what it brings there. */
async function visit(start, redirect, name) {
    const cookies = new Map();
    let url = start;
    let body;
    for (let steps = 0; steps < 20; steps++) {
        const page = await fetch(url, {
            method: body === undefined ? 'GET' : 'POST',
            redirect: 'manual',
            headers: { Cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; ') },
            body,
        });
        for (const cookie of page.headers.getSetCookie()) {
            const [, key, value] = /^([^=]+)=([^;]*)/.exec(cookie);
            cookies.set(key, value);
        }
        const to = page.headers.get('location');
        if (to !== null) {
            url = new URL(to, url);
            body = undefined;
            if (url.href.startsWith(redirect)) {
                assert.equal(url.searchParams.get('error'), null, url.href);
                return url.searchParams;
            }
            continue;
        }
        const text = await page.text();
        const form = /<form[^>]*action="([^"]+)"/.exec(text)?.[1];
        const prompt = /name="prompt" value="([^"]+)"/.exec(text)?.[1];
        assert.ok(form !== undefined && prompt !== undefined, `${page.status} at ${url}: ${text.slice(0, 300)}`);
        url = new URL(form, url);
        body = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login: name, password: 'any' } : {}) });
    }
    throw new Error(`still on the way after 20 pages, at ${url}`);
}

/** An OAuthClientProvider of either SDK, and `brought`, which resolves to what its last visit brought. */
export function browser(redirect, clientId, name) {
    let visited;
    let tokens;
    let verifier;
    let discovered;
    return {
        brought: () => visited,
        provider: {
            redirectUrl: redirect,
            clientMetadata: { redirect_uris: [redirect], token_endpoint_auth_method: 'none' },
            clientInformation: () => ({ client_id: clientId }),
            tokens: () => tokens,
            saveTokens: (got) => void (tokens = got),
            codeVerifier: () => verifier,
            saveCodeVerifier: (made) => void (verifier = made),
            discoveryState: () => discovered,
            saveDiscoveryState: (state) => void (discovered = state),
            redirectToAuthorization: (url) => void (visited = visit(url, redirect, name)),
        },
    };
}
