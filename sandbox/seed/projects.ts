import type { Repository, User } from '../store/entities.ts'
import type { ProjectV2 } from '../store/project-entities.ts'
import type { Store } from '../store/store.ts'

/**
 * octo-org has a public project with fields of every kind, three items and a draft, and a closed
 * private project. octocat has a private project without items, and mallory a public one.
 */
export function seedProjects(store: Store, hello: Repository, octocat: User, mallory: User): void {
  const { projects } = store
  const owner = hello.owner
  const base = { creator: octocat, createdAt: '2026-01-10T10:00:00Z' }
  const roadmap = projects.add({
    ...base,
    owner,
    title: 'Roadmap',
    shortDescription: 'What comes when.',
    isPublic: true,
  })
  addFields(projects, roadmap)
  for (const number of [1, 4, 3]) {
    const content = hello.items.get(number)
    if (content) projects.addItem(roadmap, content, octocat, base.createdAt)
  }
  projects.addDraft(roadmap, 'Think about it', octocat, base.createdAt)

  projects.add({ ...base, owner, title: 'Done with', closedAt: '2026-01-20T10:00:00Z' })
  projects.add({ ...base, owner: octocat, title: 'My own' })
  projects.add({ ...base, owner: mallory, creator: mallory, title: 'Look', isPublic: true })
}

function addFields(projects: Store['projects'], roadmap: ProjectV2): void {
  projects.addField(roadmap, { name: 'Assignees', dataType: 'ASSIGNEES' })
  projects.addField(roadmap, {
    name: 'Status',
    dataType: 'SINGLE_SELECT',
    options: [
      { id: 'f75ad846', name: 'Todo', description: 'Not begun.', color: 'GRAY' },
      { id: '47fc9ee4', name: 'In progress', description: '', color: 'YELLOW' },
      { id: '98236657', name: 'Done & shipped', description: '', color: 'GREEN' },
    ],
  })
  projects.addField(roadmap, { name: 'Note', dataType: 'TEXT' })
  projects.addField(roadmap, { name: 'Estimate', dataType: 'NUMBER' })
  projects.addField(roadmap, { name: 'Due', dataType: 'DATE' })
  projects.addField(roadmap, {
    name: 'Sprint',
    dataType: 'ITERATION',
    duration: 14,
    iterations: [
      { id: '1a2b3c4d', title: 'Sprint 1', startDate: '2025-12-22', isCompleted: true },
      { id: '5e6f7a8b', title: 'Sprint 2', startDate: '2026-01-05', isCompleted: false },
    ],
  })
}
