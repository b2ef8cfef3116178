/** Headers as undici takes them fastest: names in lower case and values, alternating. */

/** A later header replaces an earlier one of the same name. */
export function setHeader(headers: string[], name: string, text: string): void {
  const lower = name.toLowerCase()
  const at = indexOfHeader(headers, lower)
  if (at === -1) headers.push(lower, text)
  else headers[at + 1] = text
}

export function addCookie(headers: string[], name: string, text: string): void {
  const at = indexOfHeader(headers, 'cookie')
  const pair = `${name}=${text}`
  if (at === -1) headers.push('cookie', pair)
  else headers[at + 1] += `; ${pair}`
}

function indexOfHeader(headers: readonly string[], name: string): number {
  return headers.findIndex((item, index) => index % 2 === 0 && item === name)
}
