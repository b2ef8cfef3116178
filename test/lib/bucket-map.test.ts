import { expect, test } from 'vitest'
import { BucketMap } from '../../src/lib/bucket-map.ts'

test('entries are found and deleted, however many share a bucket', () => {
  const map = new BucketMap<number>()
  const keys = Array.from({ length: 10_000 }, (_, index) => `repo.view {"name":"${index}"}`)
  for (const [index, key] of keys.entries()) map.add(key, index)
  const isKept = (index: number) => index % 3 === 0
  for (const [index, key] of keys.entries()) if (!isKept(index)) map.delete(key)
  const found = keys.map(key => map.get(key))
  expect(found).toEqual(keys.map((_, index) => (isKept(index) ? index : undefined)))
})

test('a key can come again after it has gone, and deleting a missing key does nothing', () => {
  const map = new BucketMap<string>()
  map.delete('a')
  map.add('a', 'first')
  map.delete('a')
  expect(map.get('a')).toBeUndefined()
  map.add('a', 'second')
  map.delete('b')
  expect(map.get('a')).toBe('second')
})
