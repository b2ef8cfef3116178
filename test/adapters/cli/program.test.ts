import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { compiler, connectTo, fixture } from './connected.ts'

test('a card that needs a version does not use a probe that read none', async () => {
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

test('a program is unavailable while its home directory cannot be created', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'home-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  vi.stubEnv('TMPDIR', join(directory, 'missing'))
  onTestFinished(() => void vi.unstubAllEnvs())
  let now = 0
  await using program = connectTo(
    fixture('has-version'),
    { min_version: '1.0' },
    undefined,
    () => now,
  )
  const call = program.connection.compile({ command: [] }, compiler)

  expect(await call.unavailable()).toEqual({
    reason: 'CLI_NOT_AVAILABLE',
    message: 'has-version cannot be run here (ENOENT).',
    fix: expect.stringContaining('TMPDIR'),
  })

  await mkdir(join(directory, 'missing'))
  now += 60_000
  expect(await call.unavailable()).toBeNull()
})

test('a call whose home directory cannot be created sends nothing and may fall back', async () => {
  const missing = join(tmpdir(), 'signalbox-missing', 'too')
  vi.stubEnv('TMPDIR', missing)
  onTestFinished(() => void vi.unstubAllEnvs())
  await using program = connectTo(fixture('answers'))

  expect(await program.call({}, { effect: 'write' })).toMatchObject({
    ok: false,
    failure: { code: 'ADAPTER_UNSUPPORTED', writeOutcome: 'not_applied', fallback: true },
    exchange: { upstreamRequests: 0 },
  })
})

test('a program of a path is found beside upstream.yaml, and told apart from one that is not executable', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'program-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const beside = { ...compiler, resolvePath: (path: string) => resolve(folder, path) }
  let now = 0
  const connect = (command: string) => connectTo(command, {}, undefined, () => now, beside)
  await using program = connect('./shelf')
  await using whole = connect(join(folder, 'shelf'))
  const answers = async () => {
    now += 60_000
    const calls = [program, whole].map(one => one.connection.compile({ command: [] }, compiler))
    return await Promise.all(calls.map(async call => await call.unavailable()))
  }

  expect(await answers()).toMatchObject([
    { message: './shelf does not exist.', fix: expect.stringContaining('relative to that file') },
    { message: 'shelf does not exist.' },
  ])
  await writeFile(join(folder, 'shelf'), '#!/bin/sh\n')
  expect(await answers()).toMatchObject([
    { message: './shelf is not executable.', fix: 'Run chmod +x ./shelf.' },
    { message: 'shelf is not executable.' },
  ])
  await chmod(join(folder, 'shelf'), 0o755)
  expect(await answers()).toEqual([null, null])
})
