import { canSee } from './access.ts'
import type { ProjectItem } from './project-entities.ts'
import type { Principal } from './tokens.ts'

/** An item shows that it is there, but not what it is about, to those who may not see that. */
export function visibleContent(principal: Principal, { content }: ProjectItem) {
  return content.kind === 'DraftIssue' || canSee(principal, content.repository) ? content : null
}
