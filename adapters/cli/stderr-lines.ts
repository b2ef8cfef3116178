/** Classifying and quoting looks at no more of stderr than this, from its end. */
const MAX_LENGTH = 32_768

/** Lines that speak of something else than the failure: logs, notices, and attempts before the last. */
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

/** Headings of help text. Their blocks name options such as "author" and "limit" that failed at nothing. */
const HELP_HEADING =
  /^(?:usage|flags|options|arguments|aliases|examples?|(?:available|global|inherited|core|additional) \w+|commands|learn more|did you mean this\??)\b ?:/i

/** `program: error: …` is where argparse leaves its usage text. */
const ERROR_LINE = /^\S+: error: /

/**
 * The lines of stderr that tell about the failure, without help text and noise. When noise is all
 * there is, it stays.
 */
export function tellingLines(stderr: string): string[] {
  const lines = stderr
    .slice(-MAX_LENGTH)
    // oxlint-disable-next-line no-control-regex
    .replace(/\u001b\[[\d;]*[A-Za-z]/g, '')
    .split(/\r?\n|\r/)
  const said = withoutHelp(lines)
    .map(line => line.replace(/^[│╷╵]/, '').trim())
    .filter(isWording)
  const telling = said.filter(line => !NOISE.some(noise => noise.test(line)))
  return telling.length > 0 ? telling : said
}

function withoutHelp(lines: readonly string[]): string[] {
  let help = false
  return lines.filter(line => {
    if (HELP_HEADING.test(line)) help = true
    else if (line.trim() === '' || ERROR_LINE.test(line)) help = false
    return !help
  })
}

/** Blank lines, frames and bare headings such as "ERROR" say nothing. */
function isWording(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line) && !/^(?:error|fatal|failed|failure)[:!]?$/i.test(line)
}
