const MAX_TEXT = 4000

/** A question for a credential at the end of the output, or in front of a stack trace. */
const QUESTION =
  /(?:user ?name|login|password|passphrase|passcode|access token|api key|otp|pin|verification code)\b[^\n:?]{0,60}[:?] ?(?:Traceback\b|$)/im

/** The words of a program that met a closed standard input, or no terminal. */
const CLOSED = /\bEOF\b|EOFError|not a (?:tty|terminal)|no tty|\bioctl\b|terminal prompts disabled/i

/** Whether a program asked for a credential and found nobody to answer. */
export function askedForCredential(stdout: string, stderr: string): boolean {
  const printed = [stdout.slice(-MAX_TEXT).trimEnd(), stderr.slice(-MAX_TEXT).trimEnd()]
  return printed.some(text => QUESTION.test(text)) && CLOSED.test(stderr.slice(-MAX_TEXT))
}
