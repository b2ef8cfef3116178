import type { Repository } from '../entities.ts'
import type { Git } from './git.ts'
import { entryAt, isFolder } from './trees.ts'

export interface CodeownersError {
  readonly line: number
  readonly column: number
  readonly kind: string
  readonly source: string
  readonly suggestion: string | null
  readonly message: string
  readonly path: string
}

/** GitHub uses the first of these that exists. */
const PLACES = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS']

/** The faults of a repository's CODEOWNERS. Undefined if the branch, tag or commit has no such file. */
export function codeownersErrors(
  git: Git,
  repository: Repository,
  revision: string,
  isOwner: (name: string) => boolean,
): CodeownersError[] | undefined {
  const commit = git.commitOf(repository, revision)
  if (!commit) return undefined
  const { objects } = git.of(repository)
  const path = PLACES.find(place => {
    const entry = entryAt(objects, commit.tree, place)
    return entry !== undefined && !isFolder(entry)
  })
  if (path === undefined) return undefined
  const { oid = '' } = entryAt(objects, commit.tree, path) ?? {}
  const lines = objects.blob(oid).toString().split('\n')
  return lines.flatMap((source, index) => faultsOf(source, index + 1, path, isOwner))
}

function faultsOf(
  source: string,
  line: number,
  path: string,
  isOwner: (name: string) => boolean,
): CodeownersError[] {
  const [pattern, ...owners] = source.replace(/#.*/, '').trim().split(/\s+/)
  if (!pattern) return []
  const fault = (kind: string, at: string, suggestion: string | null): CodeownersError => {
    const column = source.indexOf(at) + 1
    const pointer = `${' '.repeat(source.indexOf(at) + 2)}^`
    const message = `${kind} on line ${line}: ${suggestion}\n\n  ${source}\n${pointer}`
    return { line, column, kind, source, suggestion, message, path }
  }
  const advice = 'make sure the user exists and has write access to the repository'
  return [
    ...(pattern.startsWith('!')
      ? [fault('Invalid pattern', pattern, 'remove the exclamation mark')]
      : []),
    ...owners.filter(name => !isOwner(name)).map(name => fault('Unknown owner', name, advice)),
  ]
}
