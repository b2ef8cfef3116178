/** A fault in a file that people write: where it is, what is wrong, and how to fix it. */
export interface Problem {
  readonly file: string
  /** 1-based; null for a problem of the whole file or directory. */
  readonly line: number | null
  readonly message: string
  readonly fix: string
}

export function formatProblem({ file, line, message, fix }: Problem): string {
  return `${file}${line === null ? '' : `:${line}`}: ${message}\n    fix: ${fix}`
}
