import type { Repository } from '../../store/entities.ts'
import { fullName } from '../../store/repositories.ts'

export function repositoryUrl(repository: Repository, origin: string): string {
  return `${origin}/repos/${fullName(repository)}`
}
