import type { Repository } from './entities.ts'
import type { Protection, Ruleset } from './ruleset-entities.ts'

/** The active rulesets for a branch, which need not exist. */
export function rulesetsFor(repository: Repository, branch: string): Ruleset[] {
  const name = `refs/heads/${branch}`
  return repository.merging.rulesets.filter(
    ({ target, enforcement, include, exclude }) =>
      target === 'branch' &&
      enforcement === 'active' &&
      include.some(it => fits(it, name, repository)) &&
      !exclude.some(it => fits(it, name, repository)),
  )
}

/** The protection of a branch. A rule for the branch itself counts before one with a pattern. */
export function protectionOf(repository: Repository, branch: string): Protection | undefined {
  const { protections } = repository.merging
  return (
    protections.find(({ pattern }) => pattern === branch) ??
    protections.find(({ pattern }) => fits(pattern, branch, repository))
  )
}

function fits(pattern: string, name: string, { defaultBranch }: Repository): boolean {
  if (pattern === '~ALL') return true
  if (pattern === '~DEFAULT_BRANCH') return name === `refs/heads/${defaultBranch}`
  return toExpression(pattern).test(name)
}

/** `*` stands for any characters but a slash, `**` for any. */
function toExpression(pattern: string): RegExp {
  const parts = pattern.split(/(\*{1,2})/).map(part => {
    if (part === '**') return '.*'
    return part === '*' ? '[^/]*' : RegExp.escape(part)
  })
  return new RegExp(`^${parts.join('')}$`, 'u')
}
