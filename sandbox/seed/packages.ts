import type { Repository, User } from '../store/entities.ts'
import type { Store } from '../store/store.ts'

/**
 * octo-org has a public container with three versions, one with a slash in its name, and a private
 * npm package. octocat has a public npm package.
 */
export function seedPackages(store: Store, hello: Repository, octocat: User): void {
  const { packages } = store
  const { owner } = hello
  const createdAt = day(16)
  const image = packages.add({
    owner,
    type: 'container',
    name: 'hello-world',
    repository: hello,
    createdAt,
  })
  const digest = (letter: string) => `sha256:${letter.repeat(64)}`
  packages.addVersion(image, { name: digest('a'), tags: ['v0.1.0'], createdAt: day(16) })
  packages.addVersion(image, { name: digest('b'), createdAt: day(17) })
  packages.addVersion(image, { name: digest('c'), tags: ['v0.2.0', 'latest'], createdAt: day(18) })
  const tool = packages.add({ owner, type: 'container', name: 'tools/lint', createdAt: day(19) })
  packages.addVersion(tool, { name: digest('d'), tags: ['latest'], createdAt: day(19) })

  const left = packages.add({
    owner,
    type: 'npm',
    name: 'left-right',
    visibility: 'private',
    createdAt,
  })
  const about = { description: 'Which way?', license: 'MIT' }
  packages.addVersion(left, { name: '1.0.0', ...about, createdAt: day(16) })
  packages.addVersion(left, { name: '1.1.0', ...about, createdAt: day(20) })
  const spoon = packages.add({ owner: octocat, type: 'npm', name: 'spoon', createdAt })
  packages.addVersion(spoon, { name: '0.1.0', createdAt })
}

function day(number: number): string {
  return `2026-01-${number}T07:00:00Z`
}
