/** The headers of web pages that the gateway serves: they load nothing from other origins, and run only files of their own. */
export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Revalidating small files is cheap, and a page never mixes files of two versions.
  'cache-control': 'no-cache',
}
