import { buildSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { readGraphql } from '../../../src/tools/import/graphql.ts'
import type { Draft } from '../../../src/tools/import/service.ts'
import { toYaml } from '../../../src/tools/import/yaml.ts'

/** Each filter has every other as a member, as services like Linear, Hasura and Prisma do. */
function filters(count: number): string {
  const names = Array.from({ length: count }, (_, n) => n)
  const members = names.map(n => `f${n}: F${n}`).join(' ')
  return names.map(n => `input F${n} { eq: String ${members} }`).join('\n')
}

function draftsOf(sdl: string): Draft[] {
  return readGraphql(buildSchema(sdl), sdl, 'x').operations.map(operation => operation.draft())
}

test('an optional argument or field that takes a file is left out', () => {
  const sdl = `
    scalar Upload
    type Query { a: Int }
    type Mutation {
      label(part: ID!, photo: Upload, photos: [Photo!]): Int
      save(input: Save!): Int
      send(photo: Upload!): Int
    }
    input Photo { file: Upload!, title: String }
    input Save { title: String!, photo: Upload, other: Photo }`
  const [, label, save, send] = readGraphql(buildSchema(sdl), sdl, 'x').operations
  expect(Object.keys(label?.draft().input.properties ?? {})).toEqual(['part'])
  expect(label?.draft().section.document).not.toContain('photo')
  expect(label?.draft().notes.join(' ')).toMatch(/lacks photo, .* lacks photos, which takes a file/)
  expect(Object.keys(save?.draft().input.properties ?? {})).toEqual(['title'])
  expect(() => send?.draft()).toThrow('takes a file (Upload)')
})

describe('a card for filters that contain each other', () => {
  const sdl = (count: number) => `
    type Query { items(filter: F0!, sort: Sort): [Int!]! }
    type Mutation { save(input: Save!): Int }
    input Save { where: F0, title: String! }
    enum Sort { UP DOWN }
    ${filters(count)}`

  test.each([7, 60, 300])('stays below 64 kB with %d filters', count => {
    const began = process.cpuUsage()
    const sizes = draftsOf(sdl(count)).map(draft => toYaml(draft).length)
    expect(sizes.filter(size => size > 64_000)).toEqual([])
    const { user, system } = process.cpuUsage(began)
    expect((user + system) / 1000).toBeLessThan(10_000)
  })

  test('has as many levels as fit, and names the types that it leaves open', () => {
    const [list, save] = draftsOf(sdl(7))
    expect(list?.input).toMatchObject({
      required: ['filter'],
      properties: {
        filter: { properties: { f1: { properties: { eq: { type: 'string' } } } } },
        sort: { enum: ['UP', 'DOWN'] },
      },
    })
    expect(list?.notes.join('\n')).toMatch(/these allow any members: F\d, /)
    expect(save?.input.properties).toMatchObject({
      title: { type: 'string' },
      where: { type: 'object' },
    })
  })
})
