// Drives tengen the way Sabaki does, with Sabaki's own GTP library: start, synchronise a game,
// analyse and interrupt the analysis, play a whole game, stop. Prints what happens.

'use strict'

const assert = require('assert')
const {Controller, ControllerStateTracker} = require('@sabaki/gtp')

const binary = process.argv[2]
const options = ['--playouts', '200', '--seed', '1', '--memory', '64']
const patience = setTimeout(() => {
  console.error('tengen does not answer')
  process.exit(1)
}, 240000)

// Sabaki's reading of an analysis line: segments that begin with `info`, each with alternating
// keys and values and the variation at its end.
function parseAnalysis(line) {
  return line
    .split(/\s*info\s+/)
    .slice(1)
    .map(segment => {
      let match = segment.trim().match(/^(.*?)\s+pv\s+((?:(?:[A-Z]\d+|pass)\s*)+)$/)
      assert(match, `not an analysis segment: ${segment}`)
      let tokens = match[1].split(/\s+/)
      assert(tokens.length % 2 === 0, `keys and values do not alternate: ${segment}`)
      let values = {pv: match[2].trim().split(/\s+/)}
      for (let i = 0; i < tokens.length; i += 2) values[tokens[i]] = tokens[i + 1]
      assert(values.move && +values.visits >= 0, segment)
      assert(+values.winrate >= 0 && +values.winrate <= 1, segment)
      return values
    })
}

async function succeed(controller, name, ...args) {
  let response = await controller.sendCommand({name, args})
  assert(!response.error, `${name} ${args.join(' ')}: ${response.content}`)
  return response.content.trim()
}

async function start(controller) {
  controller.start()
  let [name, version, protocol, commands] = await Promise.all(
    ['name', 'version', 'protocol_version', 'list_commands'].map(command =>
      succeed(controller, command)
    )
  )
  assert.strictEqual(protocol, '2')
  let list = commands.split('\n')
  assert(list.includes('kata-analyze') && list.includes('kata-genmove_analyze'))
  assert(!list.includes('analyze') && !list.includes('genmove_analyze'))
  console.log(`started: ${name} ${version}, ${list.length} commands`)
}

async function synchronise(tracker) {
  let history = [
    {name: 'set_free_handicap', args: ['C3', 'G7']},
    ...['E5', 'C6', 'F3', 'D4'].map((vertex, i) => ({
      name: 'play',
      args: [i % 2 === 0 ? 'W' : 'B', vertex],
    })),
  ]
  await tracker.sync({komi: 6.5, boardsize: [9, 9], history})
  // Back two moves and another way; then from the start.
  let other = {name: 'play', args: ['W', 'G3']}
  await tracker.sync({komi: 6.5, boardsize: [9, 9], history: [...history.slice(0, 3), other]})
  await tracker.sync({komi: 0.5, boardsize: [13, 13], history: []})
  await tracker.sync({komi: 7.5, boardsize: [9, 9], history: []})
  console.log('synchronised: a handicap game, moves taken back, other sizes')
}

async function analyse(controller) {
  let lines = 0
  let enough
  let seen = new Promise(resolve => (enough = resolve))
  let analysis = controller.sendCommand({name: 'kata-analyze', args: ['B', '5']}, ({line}) => {
    if (!line.startsWith('info ')) return
    parseAnalysis(line)
    if (++lines === 3) enough()
  })
  await seen
  let begin = Date.now()
  let [response, protocol] = await Promise.all([
    analysis,
    controller.sendCommand({name: 'protocol_version'}),
  ])
  let taken = Date.now() - begin
  assert(!response.error && protocol.content === '2')
  assert(taken < 1000, `the analysis took ${taken} ms to end`)
  console.log(`analysed: ${lines} lines, interrupted in ${taken} ms`)
}

async function playGame(controller) {
  await succeed(controller, 'boardsize', '9')
  await succeed(controller, 'clear_board')
  let moves = []
  while (moves.length < 300) {
    let color = moves.length % 2 === 0 ? 'B' : 'W'
    let move = null
    let analysed = 0
    // Sabaki's stop button: while a move is generated, the command only waits its turn.
    let [response, protocol] = await Promise.all([
      controller.sendCommand({name: 'kata-genmove_analyze', args: [color, '50']}, ({line}) => {
        if (line.startsWith('info ')) {
          parseAnalysis(line)
          analysed++
        }
        let match = line.trim().match(/^play\s+(.*)$/)
        if (match) move = match[1]
      }),
      controller.sendCommand({name: 'protocol_version'}),
    ])
    assert(!response.error && protocol.content === '2')
    assert(move, response.content)
    assert(analysed > 0, 'no analysis came with the move')
    moves.push(move)
    let passes = moves.slice(-2).filter(move => move === 'pass').length
    if (move === 'resign' || passes === 2) break
  }
  let score = await succeed(controller, 'final_score')
  console.log(`played: ${moves.length} moves, the last ${moves[moves.length - 1]}, score ${score}`)
  console.log(moves.join(' '))
}

async function main() {
  let controller = new Controller(binary, options)
  let tracker = new ControllerStateTracker(controller)
  let errors = []
  controller.on('stderr', ({content}) => errors.push(content))
  await start(controller)
  await synchronise(tracker)
  await analyse(controller)
  await playGame(controller)
  let begin = Date.now()
  await controller.stop()
  let taken = Date.now() - begin
  assert(taken < 1000, `stopping took ${taken} ms`)
  assert(errors.length > 0, 'nothing on stderr')
  console.log(`stopped in ${taken} ms; on stderr: ${errors[errors.length - 1]}`)
  clearTimeout(patience)
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
