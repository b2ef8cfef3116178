const FORBIDDEN = [
  /[\s\p{Cc}~^:?*[\\]/u,
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
