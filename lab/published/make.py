"""Makes small models of the architectures of published encoders and rerankers, with random weights, and what their authors' code
says about some texts: python make.py <folder> <texts.json>

Each model is a folder as tools export it: model.onnx, tokenizer.json, config.json, 1_Pooling/config.json. expected.json has the
vectors or scores. Encoders run in sentence-transformers, as their model cards say. The reranker runs as the code of its model card
does. NomicBert is the implementation in transformers, not that of Nomic AI.
"""

import json
import logging
import sys
import warnings
from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer, models
from tokenizers import AddedToken, Regex, Tokenizer, decoders, normalizers, pre_tokenizers, processors, trainers
from tokenizers.models import BPE, WordPiece
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    NomicBertConfig,
    NomicBertModel,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen2Model,
    Qwen3Config,
    Qwen3ForCausalLM,
    Qwen3Model,
)

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

TASK = "Given an issue of a software project, retrieve the functions to edit to resolve it"
CODE_QUERY = "Represent this query for searching relevant code: "
VOCABULARY = 1500
WIDTH = 32
# Larger than usual, so that different texts get different vectors.
DEVIATION = 0.3
MAX_TOKENS = 1024
# As the tokenizers of Qwen split text.
QWEN_SPLIT = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN_SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
QWEN_ADDED = ["<think>", "</think>", "<tool_call>"]


def bert_tokenizer(texts):
    tokenizer = Tokenizer(WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(texts, trainers.WordPieceTrainer(vocab_size=VOCABULARY, special_tokens=special))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = dict(zip(["pad_token", "unk_token", "cls_token", "sep_token", "mask_token"], special))
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


def qwen_tokenizer(texts, ending):
    """A tokenizer like Qwen's; with `ending`, it ends each text with <|endoftext|>, as that of Qwen3-Embedding does."""
    tokenizer = Tokenizer(BPE())
    tokenizer.normalizer = normalizers.NFC()
    split = pre_tokenizers.Split(Regex(QWEN_SPLIT), behavior="isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    texts = [*texts, *["yes\nno\n"] * 50]
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=VOCABULARY, initial_alphabet=alphabet))
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in QWEN_SPECIAL])
    tokenizer.add_tokens([AddedToken(token, special=False, normalized=False) for token in QWEN_ADDED])
    if ending:
        end = ("<|endoftext|>", tokenizer.token_to_id("<|endoftext|>"))
        bytes_first = processors.ByteLevel(trim_offsets=False)
        template = processors.TemplateProcessing(single="$A <|endoftext|>", special_tokens=[end])
        tokenizer.post_processor = processors.Sequence([bytes_first, template])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<|endoftext|>", padding_side="left")


def decoder_sizes(tokenizer):
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": WIDTH,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "intermediate_size": 2 * WIDTH,
        "max_position_embeddings": 2 * MAX_TOKENS,
        "initializer_range": DEVIATION,
    }


def export(model, folder, inputs, output, pick):
    """Writes model.onnx with varying numbers of texts and tokens."""

    class Exported(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, *values):
            given = dict(zip(inputs, values))
            cache = {} if "token_type_ids" in inputs else {"use_cache": False}
            return pick(self.model(**given, **cache))

    sample = [torch.ones(2, 7, dtype=torch.long) for _ in inputs]
    axes = {name: {0: "batch", 1: "sequence"} for name in [*inputs, *([output] if output != "logits" else [])]}
    path = str(folder / "model.onnx")
    torch.onnx.export(
        Exported(), tuple(sample), path, dynamo=False, input_names=inputs, output_names=[output], dynamic_axes=axes
    )


def save(folder, model, tokenizer):
    model.eval()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return model


def make_encoder(root, name, model, tokenizer, pooling, prompts, texts):
    folder = root / name
    save(folder, model, tokenizer)
    word = models.Transformer(str(folder), max_seq_length=MAX_TOKENS)
    pool = models.Pooling(WIDTH, pooling_mode=pooling)
    encoder = SentenceTransformer(modules=[word, pool, models.Normalize()], device="cpu")
    documents = [prompts["document"] + f"{path}\n{code}" for path, code in texts["documents"]]
    queries = [prompts["query"] + issue for issue in texts["issues"]]
    with torch.no_grad():
        expected = {
            "documents": encoder.encode(documents).tolist(),
            "issues": encoder.encode(queries).tolist(),
        }
    (folder / "1_Pooling").mkdir(exist_ok=True)
    (folder / "1_Pooling/config.json").write_text(json.dumps(pool.get_config_dict()))
    inputs = ["input_ids", "attention_mask"] + (["token_type_ids"] if pooling == "cls" else [])
    export(model, folder, inputs, "last_hidden_state", lambda output: output.last_hidden_state)
    (folder / "expected.json").write_text(json.dumps(expected))


def make_reranker(root, tokenizer, texts):
    """Scores pairs as the model card of Qwen3-Reranker does, up to its softmax: the difference of the logits of yes and no."""
    name = "Qwen3-Reranker-0.6B"
    folder = root / name
    model = save(folder, Qwen3ForCausalLM(Qwen3Config(head_dim=8, **decoder_sizes(tokenizer))), tokenizer)
    no, yes = (tokenizer.convert_tokens_to_ids(word) for word in ("no", "yes"))
    prefix = '<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. Note that the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n'
    suffix = "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
    before, after = (tokenizer.encode(text, add_special_tokens=False) for text in (prefix, suffix))
    scores = []
    for issue in texts["short issues"]:
        pairs = [f"<Instruct>: {TASK}\n<Query>: {issue}\n<Document>: {path}\n{code}" for path, code in texts["documents"]]
        length = MAX_TOKENS - len(before) - len(after)
        inputs = tokenizer(pairs, padding=False, truncation="longest_first", return_attention_mask=False, max_length=length)
        inputs["input_ids"] = [before + ids + after for ids in inputs["input_ids"]]
        inputs = tokenizer.pad({"input_ids": inputs["input_ids"]}, padding=True, return_tensors="pt")
        with torch.no_grad():
            logits = model(**inputs).logits[:, -1, :]
        scores.append((logits[:, yes] - logits[:, no]).tolist())
    export(model, folder, ["input_ids", "attention_mask"], "logits", lambda output: output.logits[:, -1:, :])
    (folder / "expected.json").write_text(json.dumps({"scores": scores}))


def make_cross_encoder(root, tokenizer, texts):
    """A cross-encoder with one logit. No recipe has it, so that a manifest of its own describes it."""
    folder = root / "cross-encoder"
    sizes = {"vocab_size": len(tokenizer), "hidden_size": WIDTH, "num_hidden_layers": 2, "num_attention_heads": 4}
    config = BertConfig(**sizes, intermediate_size=64, max_position_embeddings=512, num_labels=1, initializer_range=DEVIATION)
    model = save(folder, BertForSequenceClassification(config), tokenizer)
    scores = []
    for issue in texts["short issues"]:
        documents = [f"{path}\n{code}" for path, code in texts["documents"]]
        options = {"padding": True, "truncation": "only_second", "max_length": 512, "return_token_type_ids": True}
        given = tokenizer([issue] * len(documents), documents, return_tensors="pt", **options)
        with torch.no_grad():
            scores.append(model(**given).logits[:, 0].tolist())
    export(model, folder, ["input_ids", "attention_mask", "token_type_ids"], "logits", lambda output: output.logits)
    (folder / "expected.json").write_text(json.dumps({"scores": scores}))


def main():
    root, texts = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text())
    torch.manual_seed(1)
    known = [code for _, code in texts["documents"]] + texts["issues"] + texts["short issues"]
    bert, plain, ending = bert_tokenizer(known), qwen_tokenizer(known, False), qwen_tokenizer(known, True)
    nomic = {
        "vocab_size": len(bert),
        "hidden_size": WIDTH,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 2 * WIDTH,
        "initializer_range": DEVIATION,
    }
    prompts = {"document": "", "query": CODE_QUERY}
    for name in ("CodeRankEmbed", "SweRankEmbed-Small"):
        make_encoder(root, name, NomicBertModel(NomicBertConfig(**nomic)), bert, "cls", prompts, texts)
    qwen3 = Qwen3Model(Qwen3Config(head_dim=8, **decoder_sizes(ending)))
    task = {"document": "", "query": f"Instruct: {TASK}\nQuery:"}
    make_encoder(root, "Qwen3-Embedding-0.6B", qwen3, ending, "lasttoken", task, texts)
    jina = {
        "document": "Candidate code snippet:\n",
        "query": "Find the most relevant code snippet given the following query:\n",
    }
    qwen2 = Qwen2Model(Qwen2Config(**decoder_sizes(plain)))
    make_encoder(root, "jina-code-embeddings-0.5b", qwen2, plain, "lasttoken", jina, texts)
    make_reranker(root, plain, texts)
    make_cross_encoder(root, bert, texts)


main()
