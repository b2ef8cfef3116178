import { execFileSync } from 'node:child_process'
import { gh } from '../../support/parts.ts'

const own = gh.available ? execFileSync('gh', ['--version'], { encoding: 'utf8' }) : ''

/** Whether the installed `gh` is at least this release, given as `1.2.3`. */
export function isAtLeast(release = '0.0.0'): boolean {
  const [found = '0.0.0'] = /\d+\.\d+\.\d+/.exec(own) ?? []
  return found.localeCompare(release, 'en', { numeric: true }) >= 0
}
