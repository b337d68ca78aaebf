"""The server of llama.cpp with a model that is made here: words in a ring, each of which the next one follows.

The first line of its output is its port. The model has one layer that adds nothing, so that a token's embedding alone
chooses what follows: "one", then "two", and so on to "nine", after which it ends.
"""

import os
import tempfile
import time

import gguf
import numpy

WORDS = ["\u2581one", "\u2581two", "\u2581three", "\u2581four", "\u2581five", "\u2581six", "\u2581seven", "\u2581eight", "\u2581nine"]
WIDTH = 512


def make(path):
    # Three signs, all bytes, the words.
    tokens = [b"<unk>", b"<s>", b"</s>"] + [b"<0x%02X>" % byte for byte in range(256)] + [w.encode() for w in WORDS]
    kinds = [2, 3, 3] + [6] * 256 + [1] * len(WORDS)
    count = len(tokens)
    first, end = 259, 2
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("ring")
    writer.add_context_length(4096)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(32)
    writer.add_head_count(4)
    writer.add_head_count_kv(4)
    writer.add_rope_dimension_count(WIDTH // 4)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * 259 + [float(-index) for index in range(len(WORDS))])
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(end)
    writer.add_unk_token_id(0)
    writer.add_chat_template("{% for m in messages %}{{ m['content'] }}\n{% endfor %}")
    embedding = numpy.eye(count, WIDTH, dtype=numpy.float32)
    output = numpy.zeros((count, WIDTH), dtype=numpy.float32)
    for token in range(count):
        follower = token + 1 if first <= token < count - 1 else end if token == count - 1 else first
        output[follower, token] = 30.0
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output_norm.weight", numpy.ones(WIDTH, dtype=numpy.float32))
    writer.add_tensor("output.weight", output)
    nothing = numpy.zeros((WIDTH, WIDTH), dtype=numpy.float32)
    for name in ["attn_q", "attn_k", "attn_v", "attn_output"]:
        writer.add_tensor(f"blk.0.{name}.weight", nothing)
    writer.add_tensor("blk.0.attn_norm.weight", numpy.ones(WIDTH, dtype=numpy.float32))
    writer.add_tensor("blk.0.ffn_norm.weight", numpy.ones(WIDTH, dtype=numpy.float32))
    writer.add_tensor("blk.0.ffn_gate.weight", numpy.zeros((32, WIDTH), dtype=numpy.float32))
    writer.add_tensor("blk.0.ffn_up.weight", numpy.zeros((32, WIDTH), dtype=numpy.float32))
    writer.add_tensor("blk.0.ffn_down.weight", numpy.zeros((WIDTH, 32), dtype=numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    import xllamacpp

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ring.gguf")
        make(path)
        settings = xllamacpp.CommonParams()
        settings.model.path = path
        settings.hostnames = ["127.0.0.1"]
        settings.port = 0
        settings.model_alias = {"ring"}
        settings.n_ctx = 4096
        settings.n_parallel = 2
        settings.n_predict = 64
        settings.warmup = False
        settings.cpuparams.n_threads = 1
        settings.sampling.temp = 0
        settings.api_keys = ["secret-of-the-test"]
        server = xllamacpp.Server(settings)
        print(server.listening_address.rsplit(":", 1)[1], flush=True)
        parent = os.getppid()
        # Whoever started it has gone when it has another parent.
        while os.getppid() == parent:
            time.sleep(1)
    os._exit(0)


main()
