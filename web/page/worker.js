// The worker: one compiler, which answers one question after the other. Whoever wants to stop it ends the worker.
const MUCH_MEMORY = 256 << 20; // bytes of a module, which gives none back

let compiler = null;

async function start(module) {
  compiler = await xorloomModule({
    printErr: () => {}, // of a module without memory; whoever asked hears of it
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(module, imports).then(instance => done(instance, module), error => postMessage({crashed: String(error)}));
      return {};
    },
  });
  compiler.onProgress = (xors, bound, part) => postMessage({progress: {xors, bound, part}});
  compiler.onEquations = json => postMessage({equations: json});
}

async function answerTrial({file, encode, decode, lost}) {
  try {
    const found = await tryFile(file, encode, decode, lost, part => postMessage({part}));
    return {status: 0, text: JSON.stringify(found)};
  } catch (error) { // the bytes cannot be read, or there is no memory for them
    return {status: 1, text: `${file.name} cannot be read to its end: ${error.message}`};
  }
}

onmessage = async ({data}) => {
  if (data.module) {
    await start(data.module);
    postMessage({ready: true});
    return;
  }
  try {
    const answer = data.file ? await answerTrial(data) : answerOf(compiler, data.question);
    postMessage({id: data.id, ...answer, isLarge: compiler.HEAPU8.length > MUCH_MEMORY});
  } catch (error) { // no error of the compiler's: it ran out of memory or of its stack
    postMessage({id: data.id, crashed: String(error)});
  }
};
