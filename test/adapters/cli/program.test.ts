import { expect, test } from 'vitest'
import { compiler, connectTo, fixture } from './connected.ts'

test('who needs a version does not go by the look of somebody who needs none', async () => {
  await using program = connectTo(fixture('slow-version'))
  const [any, old, young] = [{}, { min_version: '2.4' }, { min_version: '2.6' }].map(card =>
    program.connection.compile({ command: [], ...card }, compiler),
  )

  const answers = await Promise.all([any, old, young].map(async call => await call?.unavailable()))

  expect(answers).toEqual([
    null,
    null,
    expect.objectContaining({ message: 'This needs slow-version ≥ 2.6, found 2.5.0.' }),
  ])
})
