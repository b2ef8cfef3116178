import type { Node } from './entities.ts'
import type { DraftIssue, ProjectField, ProjectItem, ProjectV2 } from './project-entities.ts'
import { Refusal } from './refusal.ts'
import type { Principal } from './tokens.ts'

/** The owner and the members of the owning organization may do everything. Others see public projects. */
function isInside({ user }: Principal, { owner }: ProjectV2): boolean {
  return owner === user || (owner.kind === 'Organization' && owner.members.has(user))
}

export function canSeeProject(principal: Principal, project: ProjectV2): boolean {
  return project.isPublic || isInside(principal, project)
}

export function requireProjectWriter(principal: Principal, project: ProjectV2): void {
  if (isInside(principal, project)) return
  throw new Refusal('forbidden', `${principal.user.login} does not have the correct permissions.`)
}

type OfProject = ProjectV2 | ProjectField | ProjectItem | DraftIssue

export function isOfProject(node: Node): node is OfProject {
  return node.kind === 'ProjectV2' || 'project' in node
}

export function projectOf(node: OfProject): ProjectV2 {
  return node.kind === 'ProjectV2' ? node : node.project
}
