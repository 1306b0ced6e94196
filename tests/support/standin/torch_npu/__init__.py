"""Stands for torch_npu where its analysis is called."""
