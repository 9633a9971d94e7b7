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

    // RFC 7692, 7.2.3.4: a block with the final bit, then an empty block, whose length is left out
    [Fact]
    public void TryInflate_MessagesWhoseBlocksAreFinal_AreAllInflated()
    {
        byte[] payload = [0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00];
        using MessageDeflate deflate = new();
        for (int i = 0; i < 3; i++)
        {
            Assert.True(deflate.TryInflate(payload, 10, out ReadOnlySpan<byte> text));
            Assert.Equal("Hello", System.Text.Encoding.ASCII.GetString(text));
        }
    }

    [Fact]
    public void TryInflate_EmptyMessageBetween_LeavesTheContext()
    {
        using MessageDeflate near = new(), far = new();
        byte[] first = near.Deflate(Text, startsAfresh: false).ToArray(), next = near.Deflate(Text, startsAfresh: false).ToArray();
        Assert.True(far.TryInflate(first, Text.Length, out _));
        Assert.True(far.TryInflate([0x00], Text.Length, out ReadOnlySpan<byte> nothing));
        Assert.True(nothing.IsEmpty);
        Assert.True(far.TryInflate(next, Text.Length, out ReadOnlySpan<byte> text)); // it refers to the first
        Assert.Equal(Text, text.ToArray());
    }
}
