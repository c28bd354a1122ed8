"""WIKIBIAS (Zhong et al. 2021): classifiers, taggers and generators. See README.md."""
