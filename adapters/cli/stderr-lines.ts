/** Read at most this many characters, from the end of stderr. */
const MAX_LENGTH = 32_768
/** Read at most this many lines, from the end: each meets many patterns. */
const MAX_LINES = 1000
/** Cut longer lines before a pattern looks at them. */
const MAX_LINE = 2000

/** Lines that are not about the failure: logs, notices, and earlier attempts. */
const NOISE = [
  // klog, which kubectl and other Kubernetes programs write
  /^[IWEF]\d{4} \d{2}:\d{2}:\d{2}\.\d+/,
  /^(?:warn(?:ing)?|debug|info|notice|note|hint|tip)\b ?:/i,
  /^npm (?:warn|notice)\b/i,
  /^time="?\S+"? level=(?:warn(?:ing)?|info|debug|trace)\b/,
  /\bretrying\b/i,
  /^A new (?:release|version) of .* is available/i,
  /^https?:\/\/\S+$/,
]

/** Headings of help text, which lists options such as "author" and "limit" that did not fail. */
const HELP_HEADING =
  /^(?:usage|flags|options|arguments|aliases|examples?|(?:available|global|inherited|core|additional) \w+|commands|learn more|did you mean this\??)\b ?:/i

/** argparse ends its usage text with `program: error: …`. */
const ERROR_LINE = /^\S+: error: /

/** The lines of stderr about the failure, without help text and noise. Keeps the noise if nothing else is there. */
export function relevantLines(stderr: string): string[] {
  const lines = stderr
    .slice(-MAX_LENGTH)
    // oxlint-disable-next-line no-control-regex
    .replace(/\u001b\[[\d;]*[A-Za-z]/g, '')
    .split(/\r?\n|\r/)
    .slice(-MAX_LINES)
    .map(line => line.slice(0, MAX_LINE))
  const wording = withoutHelp(withoutFrames(lines))
    .map(line => line.replace(/^[│╷╵]/, '').trim())
    .filter(isWording)
  const relevant = wording.filter(line => !NOISE.some(noise => noise.test(line)))
  return relevant.length > 0 ? relevant : wording
}

/** Lines around a stack trace that are not about the failure. */
const FRAME =
  /^\s+at \S|^node:internal\/|^Node\.js v\d|^\s*throw \w+;?$|^\s*\^+\s*$|^(?:During handling of|The above exception)\b/

/** Drops stack traces: their lines of code hold any words. Keeps the exceptions. */
function withoutFrames(lines: readonly string[]): string[] {
  let trace = false
  return lines.filter(line => {
    if (line.endsWith('Traceback (most recent call last):')) {
      trace = true
      return false
    }
    if (trace && /^\s/.test(line)) return false
    trace = false
    return !FRAME.test(line)
  })
}

function withoutHelp(lines: readonly string[]): string[] {
  let help = false
  return lines.filter(line => {
    if (HELP_HEADING.test(line)) help = true
    else if (line.trim() === '' || ERROR_LINE.test(line)) help = false
    return !help
  })
}

/** Whether a line says something: not blank, not a frame, and not just a heading such as "ERROR". */
function isWording(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line) && !/^(?:error|fatal|failed|failure)[:!]?$/i.test(line)
}
