// The worker: one compiler, which answers one question after the other. Whoever wants to stop it ends the worker.
let compiler = null;

async function start(module) {
  compiler = await xorloomModule({
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(module, imports).then(instance => done(instance, module));
      return {};
    },
  });
  compiler.onProgress = (xors, bound, part) => postMessage({progress: {xors, bound, part}});
  compiler.onEquations = json => postMessage({equations: json});
}

onmessage = async ({data}) => {
  if (data.module) {
    await start(data.module);
    postMessage({ready: true});
    return;
  }
  try {
    if (data.file) {
      const {file, encode, decode, lost} = data;
      postMessage({id: data.id, status: 0, text: JSON.stringify(tryFile(file, encode, decode, lost))});
      return;
    }
    postMessage({id: data.id, ...answerOf(compiler, data.question)});
  } catch (error) { // no error of the compiler's: it ran out of memory or of its stack
    postMessage({id: data.id, crashed: String(error)});
  }
};
