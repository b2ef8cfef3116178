import { canSee } from './access.ts'
import type { ProjectItem } from './project-entities.ts'
import type { Principal } from './tokens.ts'

/** An item's content, or null if the caller may not see it. The item itself stays visible. */
export function visibleContent(principal: Principal, { content }: ProjectItem) {
  return content.kind === 'DraftIssue' || canSee(principal, content.repository) ? content : null
}
