const FORBIDDEN = [
  // oxlint-disable-next-line no-control-regex
  /[\x00-\x20\x7f~^:?*[\\]/,
  /\.\./,
  /@\{/,
  /\/\//,
  /(^|\/)\./,
  /(\.lock|\.|\/)$/,
  /\.lock\//,
]

/** Applies the rules of `git check-ref-format` to a full name: `refs/` and at least two more parts. */
export function isValidRefName(name: string): boolean {
  return /^refs\/[^/]+\/./.test(name) && !FORBIDDEN.some(pattern => pattern.test(name))
}
