import Foundation

/// Small files that none of the libraries can write.
enum Samples {
    /// A JPEG of 24 by 16 pixels in arithmetic coding, by cjpeg.
    static let arithmeticJPEG = bytes(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8t
        MC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/yQAR
        CAAQABgDASIAAhEBAxEB/8wACgAQEAUBEBEF/9oADAMBAAIRAxEAPwD/AMp5eLw9f25Mc6zOe7eMkbYHkll+XRc3fABjtI8iu00ROJjBorU/
        fUfCqA5Dxog5vtmvrzIiiD+O262jIp4DS/cqrGR9Qr26CyOud9uIAGQmN/30de0Xq2FA/9k=
        """
    )

    /// A JPEG of 24 by 16 pixels whose planes are red, green and blue, as an Adobe segment says; by cjpeg.
    static let planesJPEG = bytes(
        """
        /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAGBAUGBQQGBgUGBwcGCAoQCgoJCQoUDg8MEBcUGBgXFBYWGh0lHxobIxwWFiAsICMmJykqKRkfLTAt
        KDAlKCko/8AAEQgAEAAYA1IRAEcRAEIRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQEC
        AwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0
        dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/a
        AAwDUgBHAEIAAD8A8D8I/wAFeNf8IR/0y/SvmXT7L7RjjOa9r8I/wUf8IR/0y/Sul0/wr9ox+7zn2r2rwj/BR/whH/TL9K6XT/hx9ox+5zn2
        r4q8I/wV9Qf8IR/0y/Sua8F2X2jy+M5r2vwj/BR/whH/AEy/Sve/BfhX7R5f7vOfavavCP8ABR/whH/TL9K6DxZ4r0DwDdJpgsZdX14oshs4
        HCJCCVx5snOwlSWACseBkKGBP//Z
        """
    )

    private static func bytes(_ text: String) -> [UInt8]? {
        Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { [UInt8]($0) }
    }
}
