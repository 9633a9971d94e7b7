using PerfCommon.Transport.WebSockets;
using Xunit;

namespace PerfCommon.Tests.Transport.WebSockets;

/// <summary>Messages compressed one after another, with and without the context of those before.</summary>
public sealed class MessageDeflateTests
{
    private static readonly byte[] Text = [.. Enumerable.Range(0, 400).Select(i => (byte)(i * i / 7))];

    [Fact]
    public void Deflate_Afresh_IsAsTheFirst()
    {
        using MessageDeflate deflate = new();
        byte[] first = deflate.Deflate(Text, startsAfresh: false).ToArray();
        byte[] next = deflate.Deflate(Text, startsAfresh: false).ToArray();
        byte[] afresh = deflate.Deflate(Text, startsAfresh: true).ToArray();
        Assert.True(next.Length < first.Length / 4, $"{next.Length} of {first.Length}"); // it refers to the first
        Assert.Equal(first, afresh);
    }

    [Fact]
    public void TryInflate_WhatWasDeflated_IsTheText()
    {
        using MessageDeflate near = new(), far = new();
        foreach (bool startsAfresh in (bool[])[false, false, true, false])
        {
            Assert.True(far.TryInflate(near.Deflate(Text, startsAfresh), Text.Length, out ReadOnlySpan<byte> text));
            Assert.Equal(Text, text.ToArray());
        }
    }

    [Fact]
    public void TryInflate_OneByteMoreThanAllowed_IsRefused()
    {
        using MessageDeflate near = new(), far = new();
        Assert.False(far.TryInflate(near.Deflate(Text, startsAfresh: false), Text.Length - 1, out _));
    }
}
