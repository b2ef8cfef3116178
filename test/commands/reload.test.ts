import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { serve, temporaryDirectory } from './support/signalbox.ts'

// The test starts a whole process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const PACK = fileURLToPath(new URL('../fixtures/capabilities/inventory', import.meta.url))
const SOON = { timeout: 15_000, interval: 100 }

/** Serves a copy of the pack, which the test may change. */
async function serveFrom(folder: string) {
  await cp(PACK, folder, { recursive: true })
  return await serve({ INVENTORY_URL: 'http://127.0.0.1:1', SIGNALBOX_CAPABILITIES: folder })
}

async function describedBy(url: string): Promise<string> {
  const answer = await fetch(`${url}/v1/capabilities/part.view`)
  return ((await answer.json()) as { data: { description: string } }).data.description
}

/** Ways in which editors, tools and checkouts change a file. */
const WAYS: Readonly<Record<string, (path: string, text: string) => Promise<void>>> = {
  'writes into it': (path, text) => writeFile(path, text),
  'replaces it by another': async (path, text) => {
    await writeFile(`${path}~`, text)
    await rename(`${path}~`, path)
  },
  'removes it and writes it anew': async (path, text) => {
    await rm(path)
    await writeFile(path, text)
  },
}

test('serve notices every change of a file, however an editor makes it', async () => {
  await using directory = await temporaryDirectory()
  await using gateway = await serveFrom(directory.path)
  const description = () => describedBy(gateway.url)
  const card = join(directory.path, 'part.view.yaml')
  const source = await readFile(card, 'utf8')
  for (const round of [1, 2, 3]) {
    for (const [way, change] of Object.entries(WAYS)) {
      const text = `An editor ${way}, ${round}.`
      await change(card, source.replace(/^description: .*$/m, `description: "${text}"`))
      await expect.poll(description, SOON).toBe(text)
    }
  }
})

test('serve reloads cards when their files change and on SIGHUP, and ignores faulty ones', async () => {
  await using directory = await temporaryDirectory()
  await using gateway = await serveFrom(directory.path)
  const description = () => describedBy(gateway.url)
  const card = join(directory.path, 'part.view.yaml')
  const source = await readFile(card, 'utf8')
  const withDescription = (text: string) =>
    source.replace(/^description: .*$/m, `description: ${text}`)

  await writeFile(card, withDescription('Changed.'))
  await expect.poll(description, SOON).toBe('Changed.')

  await writeFile(card, `${withDescription('Broken.')}\ncolour: red\n`)
  await expect
    .poll(() => gateway.log(), SOON)
    .toMatch(/part\.view\.yaml:\d+: .*colour.*the previous ones stay in use/)
  expect(await description()).toBe('Changed.')

  await writeFile(card, withDescription('Whole again.'))
  gateway.signal('SIGHUP')
  await expect.poll(description, SOON).toBe('Whole again.')
})
