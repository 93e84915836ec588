/**
 * A certificate of localhost that signed itself, good for a hundred years, and its key: for tests alone.
 *
 * Made by `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 -subj /CN=localhost
 * -addext subjectAltName=DNS:localhost,IP:127.0.0.1`.
 */
export const LOCALHOST = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgufAPobVNy9w69eAq
Jzamo6ZGHcA2lzv/7XUX91pJt++hRANCAAQiqHAbWgLSoLMlGol07+EFEQLX7OV2
OnktjJ9clOzXTWL7XBQEgzYerGTmuGyDhidegUuSFIXh4CJCFSFLstGi
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUNgRqzy/GbhZzFkkCjf5wJHB3nrgwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyOTE4NDgxMFoYDzIxMjYxMTA1
MTg0ODEwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQiqHAbWgLSoLMlGol07+EFEQLX7OV2OnktjJ9clOzXTWL7XBQEgzYe
rGTmuGyDhidegUuSFIXh4CJCFSFLstGio28wbTAdBgNVHQ4EFgQU4LUtbyvEwnB7
JqrYvHFgZ49FzV8wHwYDVR0jBBgwFoAU4LUtbyvEwnB7JqrYvHFgZ49FzV8wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAOjUUaPoiYwgZwIFatkUNr2eBOFMsiEcUH1MEbOLYwEzAiEA
w2+RkFzwM+9Nt3Toy8JI/aUzu/ljYeUhahbk2VGL7Xs=
-----END CERTIFICATE-----
`,
} as const;
