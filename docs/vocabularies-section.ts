/** The vocabularies of `adapters/failures/vocabulary`, for the page of error codes: where they are read, and who defines them. */
const VOCABULARIES: readonly (readonly [name: string, place: string, source: string])[] = [
  [
    'gRPC and `google.rpc`',
    '`error.status`, `grpc-status`, `code` beside `details`',
    'https://grpc.github.io/grpc/core/md_doc_statuscodes.html, https://google.aip.dev/193',
  ],
  [
    'reasons of Google APIs',
    '`details[].reason`',
    'https://github.com/googleapis/googleapis/blob/master/google/api/error_reason.proto',
  ],
  [
    'AWS',
    '`__type`, `x-amzn-errortype`, codes of its tools',
    'https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html, https://docs.aws.amazon.com/STS/latest/APIReference/CommonErrors.html',
  ],
  [
    'Kubernetes',
    '`reason`',
    'https://pkg.go.dev/k8s.io/apimachinery/pkg/apis/meta/v1#StatusReason',
  ],
  [
    'OAuth 2, device flow, OpenID Connect',
    '`error`, `www-authenticate`',
    'RFC 6749 §5.2, RFC 6750 §3.1, RFC 8628 §3.5, https://openid.net/specs/openid-connect-core-1_0.html#AuthError',
  ],
  ['JSON-RPC', '`error.code`', 'https://www.jsonrpc.org/specification#error_object'],
  ['problem details', '`type`, `title`, `status`', 'RFC 9457'],
  ['SOAP', '`faultcode`', 'https://www.w3.org/TR/soap12-part1/#faultcodes'],
  [
    'container registries',
    '`errors[].code`',
    'https://distribution.github.io/distribution/spec/api/#errors-2',
  ],
  ['SQLSTATE', 'five characters', 'https://www.postgresql.org/docs/current/errcodes-appendix.html'],
  [
    'system errors',
    'names and numbers: `ECONNRESET`, `[Errno 104]`, `os error 111`, `WSAECONNRESET`',
    'https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/errno.h.html, https://learn.microsoft.com/windows/win32/winsock/windows-sockets-error-codes-2',
  ],
  [
    'exit codes',
    'curl, wget, rsync, git, ssh, psql, sqlite3, ansible, docker, grep, diff, jq, node, ping, systemctl, timeout, shells, sysexits',
    'the manual of each; `exit-codes.ts` links them',
  ],
]

export function vocabulariesSection(): string {
  return `## Vocabularies

The gateway knows these words wherever they stand, on every route, in any spelling: \`RATE_LIMIT_EXCEEDED\`, \`rateLimitExceeded\`
and \`rate-limit-exceeded\` are the same.

| vocabulary | where | source |
|---|---|---|
${VOCABULARIES.map(row => `| ${row.join(' | ')} |`).join('\n')}

* **Other codes** are split into words, and a small grammar reads nouns with what became of them: \`SEAT_LIMIT_REACHED\` is FORBIDDEN,
  because waiting brings no seat back; \`requestLimitReached\` is RATE_LIMIT; \`carrier_token_expired\` is AUTH;
  \`InvalidInstanceID.NotFound\` is NOT_FOUND. Of several codes the most specific decides, not the first. Words that only frame another
  reason, such as \`INTERNAL\` and \`UNKNOWN\`, count last.
* **Waits** are found by the shape of a name and its unit, in headers and in the body: \`Retry-After\` first, then \`retry-after-ms\`,
  \`x-ratelimit-reset-requests: 6m0s\`, \`RateLimit: "burst";r=0;t=30\`, \`retry_in_seconds\`, \`retryDelay: "3.5s"\`, \`backoff\`; and in
  sentences: "try again in 3593 seconds", "until 2026-11-29T10:00:00Z". A number may be seconds, milliseconds or epoch time; a wait of
  more than ten years is ignored. A refusal that names a time to come back is a limit, whatever it is called, and a conflict that names
  one passes by itself.
* **Error documents** under a status of success, or from a program that exits with 0, are known by their shape: \`{"error": …}\`,
  \`success: false\`, \`ok: false\`, JSend, \`errcode\` or another code with a message, JSON-RPC, GraphQL errors, SOAP faults. A member
  that the card's expressions or its output name is data, so it is no sign of a failure. Beside data, an error is a part of the answer.
`
}
