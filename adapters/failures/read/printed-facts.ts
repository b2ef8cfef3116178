import { isObject } from '../../../src/lib/is-object.ts'

/** HTTP statuses as tools print them. Match only masked lines, or a title or URL could hold one. */
const STATUS_PATTERNS = [
  /\(HTTP (\d{3})\)$/g, // gh and glab: Not Found (HTTP 404)
  /(?:^|: )HTTP (\d{3})(?=$|:| \()/g, // gh: HTTP 502: Bad Gateway (https://…)
  /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE) <url>: (\d{3})\b/g, // API clients written in Go
  /\brequested URL returned error: (\d{3})\b/gi, // git and curl
  /\b(?:unexpected|bad|received|response|http)[\w ]{0,20} status(?: ?code)?[ :=]{1,3}(\d{3})\b/gi,
  /\bstatus ?code[ :=]{1,3}(\d{3})\b/gi, // AWS and Azure SDKs
  /\bstatus=\[(\d{3})\]/g, // gcloud
  /\bHTTP ?Error (\d{3})\b/gi, // Python's urllib, gcloud
  /\b(\d{3}) (?:Client|Server) Error: /g, // Python's requests
  /\bAn error occurred \((\d{3})\) when calling/g, // aws, for an answer without a body
  /\bgoogleapi: Error (\d{3})\b/g,
  /\bcode E(\d{3})\b/g, // npm
  /\bresponse code: (\d{3})\b/g, // Java, and HashiCorp's clients
  /^\d{4}-\d\d-\d\d [\d:]{8} ERROR (\d{3}): /g, // wget
  /\bERR_[A-Z]+_FETCH_(\d{3})\b/g, // pnpm
  /\(status (\d{3})\b/g, // cargo
  /\bresulted in an? [`…]?(\d{3}) /g, // Guzzle
  /^(?:Code|Status): (\d{3})\b/g, // Vault and others, on a line of its own
  /: \[(\d{3})\] /g, // Pulumi
] as const

/** Machine codes as tools print them: kubectl's reason, the codes of cloud APIs, gRPC's status. */
const CODE_PATTERNS = [
  /\bError from server \((\w+)\)/g,
  /\bAn error occurred \(([A-Za-z][\w.]+)\) when calling/g, // aws
  /^(?:ERROR|Error): \(([A-Za-z]\w+)\) /g, // az
  /^Code: ([\w.]+)$/g, // az, on a line of its own
  /\bCode="([\w.]+)"/g, // Azure's Go SDK
  /\bapi error ([\w.]+):/g, // AWS's Go SDK
  /\(gcloud[\w.-]*\) ([A-Z][A-Z_]{2,}): /g,
  /\bcode=\[(\w+)\]/g,
  /\brpc error: code = (\w+) desc = /g,
  /^npm (?:ERR!|error) code (E[A-Z]{2,20})$/g,
  /\bStatusCode\.([A-Z_]{2,30})\b/g, // gRPC in Python
  /\bNT_STATUS_([A-Z_]{3,60})\b/g, // Samba
  /^(?:\*{2,3}|error:|fatal:|\[error\]) ([a-z]{2,30}(?:_[a-z]{2,30}){1,5}): /gi, // RabbitMQ, OAuth clients
  /^[A-Z]\w+\.\w+ ([a-z_]+)$/g, // gh, for each of GitHub's validation errors: Label.name already_exists
] as const

/** The status in the last line that has one: earlier ones were retries or redirects. */
export function statusIn(maskedLines: readonly string[]): number | null {
  for (const line of maskedLines.toReversed()) {
    const statuses = STATUS_PATTERNS.flatMap(pattern => captures(pattern, line)).map(Number)
    const status = statuses.findLast(value => value >= 300 && value < 600)
    if (status !== undefined) return status
  }
  return null
}

/** The machine codes in the lines, from the last line to the first. */
export function codesIn(lines: readonly string[]): string[] {
  return lines
    .toReversed()
    .flatMap(line => CODE_PATTERNS.flatMap(pattern => captures(pattern, line)))
}

function captures(pattern: RegExp, line: string): string[] {
  return [...line.matchAll(pattern)].flatMap(([, captured]) => captured ?? [])
}

/** The HTTP status in an error document: a text from GitHub, a number from Kubernetes and Google. */
export function statusInBody(body: unknown): number | null {
  const root = membersOf(body)
  const candidates = [root.status, root.code, membersOf(root.error).code].map(Number)
  return candidates.find(value => Number.isInteger(value) && value >= 400 && value < 600) ?? null
}

/** The codes in `errors[].extensions.code`, which GraphQL servers other than GitHub's use. */
export function extensionCodes(body: unknown): string[] {
  const { errors } = membersOf(body)
  const codes = Array.isArray(errors)
    ? errors.map(error => membersOf(membersOf(error).extensions).code)
    : []
  return codes.filter(code => typeof code === 'string')
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}
