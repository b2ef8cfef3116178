const MAX_TEXT = 4000

/** A question for a credential at the end of the output, or in front of a stack trace. */
const QUESTION =
  /(?:user ?name|login|password|passphrase|passcode|access token|api key|otp|pin|verification code)\b[^\n:?]{0,60}[:?] ?(?:Traceback\b|$)/im

/** The words of a program that met a closed standard input, or no terminal. */
const CLOSED = /\bEOF\b|EOFError|not a (?:tty|terminal)|no tty|\bioctl\b|terminal prompts disabled/i

/** A question that is the last thing that the program printed: nobody answered. */
const LAST_QUESTION =
  /^(?!.*\b(?:invalid|wrong|incorrect|fail\w*|error|denied|bad)\b).*\b(?:user ?name|login|password|passphrase|passcode|access token|api key|otp|verification code)\b[^\n:?]{0,60}:$/i
/** A program that waits for a person who logs in with a browser. */
const BROWSER =
  /^\W{0,20}waiting for (?:your |the )?(?:authori[sz]ation|authentication|log ?in|sign[- ]?in)\b|^(?:! )?first copy your one-time code|^(?:please )?(?:in (?:a|your) (?:web )?browser,|open (?:the following|this) (?:url|link|page)|to sign in, use a web browser)/im

/** Whether a program asked for a credential and found nobody to answer. */
export function askedForCredential(stdout: string, stderr: string): boolean {
  const printed = [stdout.slice(-MAX_TEXT).trimEnd(), stderr.slice(-MAX_TEXT).trimEnd()]
  if (printed.some(text => BROWSER.test(text))) return true
  const last = printed.toReversed().find(text => text !== '') ?? ''
  if (LAST_QUESTION.test(last.slice(last.lastIndexOf('\n') + 1))) return true
  return printed.some(text => QUESTION.test(text)) && CLOSED.test(stderr.slice(-MAX_TEXT))
}
