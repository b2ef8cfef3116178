/** HTTP statuses as tools print them. They are read from masked lines, so no title or URL can hold one. */
const STATUSES = [
  /\(HTTP (\d{3})\)$/g, // gh and glab: Not Found (HTTP 404)
  /(?:^|: )HTTP (\d{3})(?=$|:| \()/g, // gh: HTTP 502: Bad Gateway (https://…)
  /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE) <url>: (\d{3})\b/g, // API clients written in Go
  /\brequested URL returned error: (\d{3})\b/gi, // git and curl
  /\b(?:unexpected|bad|received|response|http)[\w ]{0,20} status(?: ?code)?[ :=]{1,3}(\d{3})\b/gi,
  /\bstatus ?code[ :=]{1,3}(\d{3})\b/gi, // AWS and Azure SDKs
  /\bstatus=\[(\d{3})\]/g, // gcloud
  /\bHTTP ?Error (\d{3})\b/gi, // Python's urllib, gcloud
  /\b(\d{3}) (?:Client|Server) Error: /g, // Python's requests
  /\bAn error occurred \((\d{3})\) when calling/g, // aws, where the answer had no body
  /\bgoogleapi: Error (\d{3})\b/g,
  /\bcode E(\d{3})\b/g, // npm
] as const

/** Machine codes as tools print them: kubectl's reason, the codes of cloud APIs, gRPC's status. */
const CODES = [
  /\bError from server \((\w+)\)/g,
  /\bAn error occurred \(([A-Za-z][\w.]+)\) when calling/g, // aws
  /^(?:ERROR|Error): \(([A-Za-z]\w+)\) /g, // az
  /^Code: ([\w.]+)$/g, // az, on a line of its own
  /\bCode="([\w.]+)"/g, // Azure's Go SDK
  /\bapi error ([\w.]+):/g, // AWS's Go SDK
  /\(gcloud[\w.-]*\) ([A-Z][A-Z_]{2,}): /g,
  /\bcode=\[(\w+)\]/g,
  /\brpc error: code = (\w+) desc = /g,
  /^[A-Z]\w+\.\w+ ([a-z_]+)$/g, // gh, for each of GitHub's validation errors: Label.name already_exists
] as const

/** The status that the last telling line with one gives: earlier ones were retries or redirects. */
export function statusIn(maskedLines: readonly string[]): number | null {
  for (const line of maskedLines.toReversed()) {
    const statuses = STATUSES.flatMap(pattern => captures(pattern, line)).map(Number)
    const status = statuses.findLast(value => value >= 300 && value < 600)
    if (status !== undefined) return status
  }
  return null
}

/** The machine codes in the telling lines, the last line's first. */
export function codesIn(lines: readonly string[]): string[] {
  return lines.toReversed().flatMap(line => CODES.flatMap(pattern => captures(pattern, line)))
}

function captures(pattern: RegExp, line: string): string[] {
  return [...line.matchAll(pattern)].flatMap(([, captured]) => captured ?? [])
}

/** The HTTP status that an error document repeats: GitHub's as a text, Kubernetes' and Google's as a number. */
export function statusInBody(body: unknown): number | null {
  const root = memberOf(body)
  const candidates = [root.status, root.code, memberOf(root.error).code].map(Number)
  return candidates.find(value => Number.isInteger(value) && value >= 400 && value < 600) ?? null
}

/** `errors[].extensions.code`, which GraphQL servers other than GitHub's use. */
export function extensionCodes(body: unknown): string[] {
  const { errors } = memberOf(body)
  const codes = Array.isArray(errors)
    ? errors.map(error => memberOf(memberOf(error).extensions).code)
    : []
  return codes.filter(code => typeof code === 'string')
}

function memberOf(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
}
