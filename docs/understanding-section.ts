import { PHRASES } from '../adapters/failures/phrases/table.ts'

/** The part of the page of error codes that says how a failure is understood. */
export function understandingSection(): string {
  return `## How a failure is understood

Every route reads the same signals: the HTTP status, headers, machine codes, names of system errors and exceptions, the exit code,
and last the words of messages. Then one ranking decides. The first line that applies wins.

| rank | signal | example |
|---|---|---|
| 1 | a rule of the upstream, or of the tool, in \`failures\` | GitHub's 403 for a used-up quota |
| 2 | a specific machine code, where the status leaves it open | \`ThrottlingException\` in a 400 |
| 3 | the status | 404 is NOT_FOUND, whatever the message says |
| 4 | a code that says as much as a status | gRPC's \`NOT_FOUND\` |
| 5 | the exit code, by the table of the program | curl's 28 is TIMEOUT |
| 6 | the most specific phrase in the messages, wherever it stands | \`could not fetch: x509: unknown authority\` is about the certificate |
| 7 | a frame, which says only that something failed | \`INTERNAL\`, "something went wrong" |

* **Status and words**: words split only a status that leaves them open, such as a limit that comes as 403. A rule of an upstream that looks at
  words gives no other code to a failure whose status is known, unless the rule names that status.
* **Status and codes**: a code clarifies 400, 402, 403, 405, 406 and 422, tells limits and timeouts from other 5xx, and lost races from
  other 409. It does not override an exact status.
* **Words of users** are hidden before a phrase is looked for: values of the input, quotations, URLs, paths, hosts and names. A repository
  called \`rate limit\` and an issue 404 decide nothing. The program's own sentences in \`msg="…"\` stay visible.
* **A service's own network** is not ours: "connection refused" in a service's answer is SERVER.
* **Output of programs**: a printed HTTP answer is judged like one that the gateway received. Stack traces count by their exceptions. A
  question for a password that met a closed standard input is AUTH of this route only.
* **Redirects** to a page where people log in are AUTH. A 304 is no failure of a read.
* **Form of the request**: when a service refuses a media type, a header or a version, the gateway's own choice was wrong. The code is
  ADAPTER_UNSUPPORTED, and another route is tried.

${outcomes()}
${phrases()}`
}

function outcomes(): string {
  return `### What became of a change

Only evidence decides \`write_outcome\`; words never do.

| how far the request got | known from | outcome |
|---|---|---|
| not started | the program did not start, the input could not be sent | \`not_applied\` |
| refused as usage | the program's exit code for wrong arguments, and the usage text with it; for programs that parse all arguments first | \`not_applied\` |
| nothing sent | the connection broke before the first byte | \`not_applied\` |
| sent, no answer | the connection broke, or the time was up | \`unknown\` |
| status seen | the answer broke off after its status | \`applied\` after a 2xx, \`not_applied\` after a 4xx |
| answer read | HTTP, also printed by a program with \`parse: http\`; a program's exit code of success | as the answer says |
| reported | a program whose card says \`one_request\`, unless its message is about another step | as the program says |
| unseen | any other program: it may have sent several requests | \`unknown\`, or \`applied\` if it reports finished work |
| work reported | a program printed finished work before it failed, or began a second step of the same kind | \`applied\` in part, or \`unknown\`; never retried |

After a 2xx to a change, nothing is retried and no other route is tried, unless the body is an error document.
`
}

function phrases(): string {
  const count = PHRASES.flatMap(group => group.phrases).length
  return `### Phrases

One table of ${count} patterns serves all routes. Each group comes from a source:

${PHRASES.map(group => `* ${group.source}: ${group.phrases.length}, ${group.rank}, ${group.verdict.code}`).join('\n')}
`
}
