import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import contract from '../contract/package.json' with { type: 'json' }
import documents from '../documents/package.json' with { type: 'json' }
import kubernetes from '../kubernetes/package.json' with { type: 'json' }
import clients from '../mcp-clients/package.json' with { type: 'json' }
import openapi from '../openapi/package.json' with { type: 'json' }
import packs from '../packs/npm/package.json' with { type: 'json' }
import { readPage } from './pages.ts'

test('docs/dependencies.md explains exactly the packages of package.json and of the packages for tests', () => {
  const page = readPage('docs/dependencies.md')
  const explained = page
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .flatMap(line => [...(line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)])
    .map(([, name]) => name)
  const { dependencies, devDependencies } = manifest
  const all = {
    ...dependencies,
    ...devDependencies,
    ...contract.dependencies,
    ...clients.dependencies,
    ...documents.dependencies,
    ...kubernetes.dependencies,
    ...openapi.dependencies,
    ...packs.dependencies,
  }
  expect(new Set(explained)).toEqual(new Set(Object.keys(all)))
})
