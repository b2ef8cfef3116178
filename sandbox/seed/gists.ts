import type { User } from '../store/entities.ts'
import type { Store } from '../store/store.ts'

/** octocat has a public gist and a secret one, hubot a public one. */
export function seedGists(store: Store, octocat: User, hubot: User): void {
  const add = (owner: User, day: number, isPublic: boolean, files: Record<string, string>) =>
    store.gists.add({
      owner,
      isPublic,
      files,
      description: isPublic ? `Of ${owner.login}` : null,
      createdAt: `2026-01-${day}T08:00:00Z`,
    })
  add(octocat, 16, true, { 'hello.md': '# Hello\n', 'a note.txt': 'Blanks, and "quotes".\n' })
  add(octocat, 17, false, { 'secret.txt': 'Tell nobody.\n' })
  add(hubot, 18, true, { 'beep.txt': 'boop\n' })
}
