"""WIKIBIAS (Zhong, Yang, Xu, Yang 2021): its sentences as tokens and tags, every system of Tables 5, 6, 7 and 9."""
