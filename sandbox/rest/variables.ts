import { isGiven } from '../given.ts'
import { requireWrite } from '../store/access.ts'
import type { Variable } from '../store/variables.ts'
import { optionalText, requiredText } from './body.ts'
import { type Answer, noContent, ok, type RestCall, type RouteTable } from './call.ts'
import { notFound } from './errors.ts'
import { pagedIn } from './paging.ts'
import { writableRepositoryOf } from './secrets.ts'

const base = '/repos/:owner/:repo/actions/variables'

export const variableRoutes: RouteTable = {
  [`GET ${base}`]: call =>
    pagedIn(call, 'variables', call.store.variables.of(writableRepositoryOf(call)), variableJson),
  [`GET ${base}/:name`]: call => ok(variableJson(variableOf(call))),
  [`POST ${base}`]: createVariable,
  [`PATCH ${base}/:name`]: updateVariable,
  [`DELETE ${base}/:name`]: deleteVariable,
}

function variableOf(call: RestCall): Variable {
  const variable = call.store.variables.find(writableRepositoryOf(call), call.params.name ?? '')
  if (!variable) throw notFound()
  return variable
}

function variableJson({ name, value, createdAt, updatedAt }: Variable) {
  return { name, value, created_at: createdAt, updated_at: updatedAt }
}

function createVariable(call: RestCall): Answer {
  const repository = writableRepositoryOf(call)
  requireWrite(call.principal, repository)
  const [name, value] = [requiredText(call.body, 'name'), requiredText(call.body, 'value')]
  call.store.variables.add(repository, name, value)
  return { status: 201, body: {} }
}

function updateVariable(call: RestCall): Answer {
  const [repository, variable] = [writableRepositoryOf(call), variableOf(call)]
  requireWrite(call.principal, repository)
  const [name, value] = [optionalText(call.body, 'name'), optionalText(call.body, 'value')]
  call.store.variables.update(repository, variable, {
    ...(isGiven(name) && { name }),
    ...(isGiven(value) && { value }),
  })
  return noContent()
}

function deleteVariable(call: RestCall): Answer {
  const [repository, variable] = [writableRepositoryOf(call), variableOf(call)]
  requireWrite(call.principal, repository)
  call.store.variables.delete(repository, variable.name)
  return noContent()
}
