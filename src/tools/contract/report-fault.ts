import type { KeyPath } from '../../lib/yaml-source.ts'

/** Reports a fault in a card: its place in the file, what is wrong, and how to fix it. */
export type ReportFault = (path: KeyPath, message: string, fix: string) => void
